import { useId, useState } from 'preact/hooks'
import type { OptionField, OptionFields } from '../types.ts'
import { useData } from '../use-data.ts'

// A form for the options of a pair, built from the fields that the service derives from its table of options.

export type OptionValues = Record<string, unknown>

export interface OptionsFormProps {
  pair: string
  values: OptionValues
  onChange: (values: OptionValues) => void
}

export function OptionsForm({ pair, values, onChange }: OptionsFormProps) {
  const { data, error } = useData<OptionFields>(`/options/${pair}`)
  if (error) return <p class="notice bad">{error}</p>
  if (!data) return <p class="muted small">Loading the options…</p>
  if (data.fields.length === 0) return <p class="muted small">This conversion has no options.</p>
  return <Fields fields={data.fields} values={values} onChange={onChange} />
}

export interface FieldsProps {
  fields: readonly OptionField[]
  values: OptionValues
  onChange: (values: OptionValues) => void
}

export function Fields({ fields, values, onChange }: FieldsProps) {
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = values
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  return (
    <div class="options">
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name]}
          onValue={(value) => set(field.name, value)}
        />
      ))}
    </div>
  )
}

interface FieldProps {
  field: OptionField
  value: unknown
  /** Undefined: the option is not given. */
  onValue: (value: unknown) => void
}

function Field({ field, value, onValue }: FieldProps) {
  const id = useId()
  const hint = `${id}-hint`
  const common = { id, name: field.name, 'aria-describedby': hint }
  return (
    <div class="option">
      {field.kind === 'several' ? (
        <Several field={field} hint={hint} value={value} onValue={onValue} />
      ) : (
        <>
          <label for={id}>{field.label}</label>
          {field.kind === 'choice' || field.kind === 'flag' ? (
            <Select {...common} field={field} value={value} onValue={onValue} />
          ) : (
            <Input {...common} field={field} value={value} onValue={onValue} />
          )}
        </>
      )}
      <small id={hint} class="muted">
        {withCode(field.description)} <span class="default">Default: {withCode(field.default)}</span>
      </small>
    </div>
  )
}

interface ControlProps extends FieldProps {
  id: string
  name: string
  'aria-describedby': string
}

function Select({ field, value, onValue, ...common }: ControlProps) {
  const choices =
    field.kind === 'flag'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : field.choices
  const choose = (text: string) => {
    if (text === '') onValue(undefined)
    else onValue(field.kind === 'flag' ? text === 'true' : text)
  }
  return (
    <select
      {...common}
      value={value === undefined ? '' : String(value)}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">Default</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}

function Input({ field, value, onValue, ...common }: ControlProps) {
  const [text, setText] = useState(Array.isArray(value) ? value.join(', ') : String(value ?? ''))
  const isNumber = field.kind === 'integer' || field.kind === 'number'
  const change = (typed: string) => {
    setText(typed)
    if (typed.trim() === '') onValue(undefined)
    else if (isNumber) onValue(Number(typed))
    else if (field.kind === 'list') onValue(typed.split(',').map((each) => each.trim()))
    else onValue(typed)
  }
  const attributes = {
    ...common,
    value: text,
    placeholder: field.example && `For example ${field.example}`,
    onInput: (event: InputEvent) => change((event.currentTarget as HTMLInputElement).value),
  }
  if (field.kind === 'password') return <input {...attributes} type="password" autocomplete="off" />
  if (!isNumber) return <input {...attributes} type="text" autocomplete="off" />
  return (
    <input
      {...attributes}
      type="number"
      step={field.kind === 'number' ? 'any' : '1'}
      {...(field.minimum === null ? {} : { min: field.minimum })}
      {...(field.maximum === null ? {} : { max: field.maximum })}
    />
  )
}

function Several({ field, hint, value, onValue }: FieldProps & { hint: string }) {
  const chosen = (value as string[] | undefined) ?? []
  const toggle = (word: string, isOn: boolean) => {
    const next = field.choices
      .map((each) => each.value)
      .filter((each) => (each === word ? isOn : chosen.includes(each)))
    onValue(next.length > 0 ? next : undefined)
  }
  return (
    <fieldset aria-describedby={hint}>
      <legend>{field.label}</legend>
      {field.choices.map((choice) => (
        <label key={choice.value} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={(event) => toggle(choice.value, event.currentTarget.checked)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}

/** Text between backticks is code, as in the documentation. */
const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))
