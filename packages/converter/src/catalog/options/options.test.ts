import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairs } from '../pairs.ts'
import { optionFields } from './form-fields.ts'
import { allOptions, checkOptions, optionsOf, optionsSchema } from './index.ts'
import { length, pageRanges } from './kinds.ts'
import { argumentsOf, type Option } from './option.ts'

const pairOf = (slug: string) => {
  const pair = pairs.find((each) => each.slug === slug)
  if (!pair) throw new Error(slug)
  return pair
}

describe('the table of options', () => {
  it('gives a pair each name once, and every row to some pair', () => {
    for (const pair of pairs) {
      const names = optionsOf(pair).map(({ name }) => name)
      expect(new Set(names).size, pair.slug).toBe(names.length)
      expect(Object.keys(optionsSchema(pair).properties as object)).toEqual(names)
    }
    for (const option of allOptions) expect(pairs.some(option.appliesTo), option.name).toBe(true)
  })

  it('describes each option in one sentence, with a valid example', () => {
    for (const { name, description, default: fallback, example, isValid, expected } of allOptions) {
      expect(name).toMatch(/^[a-z][a-zA-Z]+$/)
      expect(description, name).toMatch(/^[A-Z`].*\.$/)
      expect(fallback, name).toMatch(/^[A-Z0-9].*\.$/)
      expect(expected, name).not.toMatch(/\.$/)
      expect(isValid(example), name).toBe(true)
    }
  })

  it('gives an argument for a valid value of each option', () => {
    for (const pair of pairs)
      for (const option of optionsOf(pair) as Option<object>[]) {
        const argument = argumentsOf([option], pair, { [option.name]: option.example })
        expect(Object.keys(argument).length, `${pair.slug} ${option.name}`).toBeGreaterThan(0)
      }
  })

  it('refuses values of every other kind, with the sentence of the option', () => {
    const junk = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(undefined, Number.NaN, -0, '1-', ' 1', '1-2-3', 'A44'),
    )
    fc.assert(
      fc.property(fc.constantFrom(...allOptions), junk, (option, value) => {
        const pair = pairs.find(option.appliesTo)
        if (!pair) throw new Error(option.name)
        const checked = checkOptions(pair, { [option.name]: value })
        if (option.isValid(value)) expect(checked).toEqual({ options: { [option.name]: value } })
        else expect(checked).toEqual({ fault: `The option \`${option.name}\` must be ${option.expected}.` })
        if (!matchesType(option, value)) expect('fault' in checked).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the fields of a form', () => {
  it('have a label that people read, also for each choice, and no two of a pair the same', () => {
    for (const pair of pairs) {
      const fields = optionFields(pair)
      expect(new Set(fields.map(({ label }) => label)).size, pair.slug).toBe(fields.length)
      for (const { name, label, choices } of fields)
        for (const text of [label, ...choices.map((choice) => choice.label)])
          expect(text, `${pair.slug} ${name}`).toMatch(/^(?:[A-Z]|pandoc)[^-_]*$|^PDF\/A-|^Archival PDF/)
    }
  })

  it('name the labels of choices that exist', () => {
    for (const { name, choiceLabels = {}, schema } of allOptions) {
      const words = (schema.enum ?? (schema.items as { enum?: string[] } | undefined)?.enum ?? []) as string[]
      expect(words, name).toEqual(expect.arrayContaining(Object.keys(choiceLabels)))
    }
  })
})

const matchesType = ({ schema }: Option, value: unknown): boolean =>
  ({
    string: typeof value === 'string',
    integer: Number.isInteger(value),
    number: typeof value === 'number',
    boolean: typeof value === 'boolean',
    array: Array.isArray(value),
  })[String(schema.type)] ?? false

describe('pages', () => {
  it.each(['1', '12-', '1-3', '2,4-5,7-', '1-1', '99999'])('may be %s', (text) => {
    expect(pageRanges.isValid(text)).toBe(true)
  })
  it.each(['', '0', '-3', '3-1', '1,1', '2,1', '1-3,2', '1-,5', '1 - 3', '1;3', '100000', '1,', '１', '1\n'])(
    'may not be %j',
    (text) => {
      expect(pageRanges.isValid(text)).toBe(false)
    },
  )
})

describe('lengths', () => {
  it.each(['0mm', '20mm', '2.5cm', '1in', '72pt', '100mm'])('may be %s', (text) => {
    expect(length(100).isValid(text)).toBe(true)
  })
  it.each(['20', '20 mm', '-1mm', '101mm', '11cm', '4in', '1e1mm', '.5in', '20px', '1000pt'])(
    'may not be %s',
    (text) => {
      expect(length(100).isValid(text)).toBe(false)
    },
  )
})

describe('rules between options', () => {
  it.each([
    ['mp4-to-webm', { start: 5, end: 5 }, /later than `start`/],
    ['mp4-to-webm', { quality: 'low', maxBytes: 100_000 }, /Give one of them/],
  ])('%s %j', (slug, options, sentence) => {
    expect(checkOptions(pairOf(slug), options)).toEqual({ fault: expect.stringMatching(sentence) })
  })
})

it('an unknown option is named, cut short, with those that are known', () => {
  const checked = checkOptions(pairOf('mp4-to-gif'), { [`height\n${'x'.repeat(99)}`]: 1 })
  expect(checked).toEqual({
    fault: expect.stringMatching(/^`height\?x{33}` is not an option of mp4-to-gif\. .*`width`/),
  })
})
