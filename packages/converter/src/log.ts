/** Messages for the operator. Any logger with these two methods fits. */
export interface Log {
  info(message: string): void
  warn(message: string): void
}
