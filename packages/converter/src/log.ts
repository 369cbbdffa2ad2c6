/** Where the converter tells what its operator should know. Any logger with these two methods fits. */
export interface Log {
  info(message: string): void
  warn(message: string): void
}
