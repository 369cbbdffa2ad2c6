import { settings } from './settings.ts'

// The table of settings for people, in docs/configuration.md. `npm run generate` puts it in its place.

/** `text` with its table regenerated. */
export const withSettingsTable = (text: string): string =>
  text.replace(/^\| Setting \|.*\n(?:\|.*\n)*/m, () => `${settingsTable()}\n`)

const settingsTable = (): string =>
  [
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...settings.map(({ name, default: value, meaning }) => `| \`${name}\` | ${value} | ${meaning} |`),
  ].join('\n')
