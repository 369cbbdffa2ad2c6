// Output of the set-up.

const started = Date.now()

export const say = (line) => console.log(`set-up: ${line}`)
export const warn = (line) => console.warn(`set-up: ${line}`)
export const secondsSinceStart = () => ((Date.now() - started) / 1000).toFixed(1)
