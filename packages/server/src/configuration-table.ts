import { settings } from './config.ts'

/** The settings as a Markdown table; docs/configuration.md holds exactly this. */
export function configurationTable(): string {
  const rows = settings.map(({ name, default: value, meaning }) => `| \`${name}\` | ${value} | ${meaning} |`)
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}
