/** Options with a value each, as arguments of ffmpeg and ffprobe; undefined leaves an option out. */
export const optionList = (options: Readonly<Record<string, string | number | undefined>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`-${name}`, String(value)]))
