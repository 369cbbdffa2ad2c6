import { useState } from 'preact/hooks'
import { useData } from '../use-data.ts'

// A small form for the options of a pair, made of their JSON Schema. Nothing here knows an option by its name.

interface OptionSchema {
  type: string
  description: string
  enum?: string[]
  items?: { enum?: string[] }
  examples?: unknown[]
  writeOnly?: boolean
}

interface OptionsSchema {
  properties: Record<string, OptionSchema>
}

export type OptionValues = Record<string, unknown>

export function OptionsForm({ pair, onChange }: { pair: string; onChange: (values: OptionValues) => void }) {
  const { data } = useData<OptionsSchema>(`/options/${pair}`)
  const [texts, setTexts] = useState<Record<string, string>>({})
  if (!data) return null
  const set = (name: string, text: string) => {
    const all = { ...texts, [name]: text }
    setTexts(all)
    onChange(valuesOf(all, data))
  }
  return (
    <details class="options">
      <summary>Options</summary>
      {Object.entries(data.properties).map(([name, schema]) => (
        <div key={name} class="option">
          <label for={`option-${name}`}>{name}</label>
          <OptionField
            schema={schema}
            text={texts[name] ?? ''}
            onText={(text) => set(name, text)}
            name={name}
          />
          <small class="muted">{withCode(schema.description)}</small>
        </div>
      ))}
    </details>
  )
}

/** What stands between backticks is code, as in the documentation. */
const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))

interface FieldProps {
  name: string
  schema: OptionSchema
  text: string
  onText: (text: string) => void
}

function OptionField({ name, schema, text, onText }: FieldProps) {
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum
  if (choices) {
    return (
      <select
        id={`option-${name}`}
        name={name}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      >
        <option value="">not given</option>
        {choices.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    )
  }
  const common = {
    ...{ id: `option-${name}`, name, value: text },
    placeholder: String(schema.items?.enum ?? schema.examples?.[0] ?? ''),
    onInput: (event: InputEvent) => onText((event.currentTarget as HTMLInputElement).value),
  }
  if (schema.writeOnly) return <input {...common} type="password" autocomplete="off" />
  if (schema.type === 'string' || schema.type === 'array') return <input {...common} type="text" />
  return <input {...common} type="number" step={schema.type === 'number' ? 'any' : '1'} />
}

/** What was left empty is not asked for. */
function valuesOf(texts: Record<string, string>, { properties }: OptionsSchema): OptionValues {
  const given = Object.entries(texts).filter(([name, text]) => text !== '' && properties[name])
  return Object.fromEntries(given.map(([name, text]) => [name, typedValue(text, properties[name]?.type)]))
}

function typedValue(text: string, type: string | undefined): unknown {
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean') return text === 'true'
  if (type === 'array') return text.split(',').map((each) => each.trim())
  return text
}
