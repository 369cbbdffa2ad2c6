// The ids of jobs, accounts and keys.

export const uuidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

const whole = new RegExp(`^${uuidPattern}$`)

export const isUuid = (text: string): boolean => whole.test(text)
