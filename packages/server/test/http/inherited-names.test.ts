import { beforeAll, expect, test } from 'vitest'
import { openConsole, password } from '../console/console-client.ts'
import { originOf, type PageClient } from '../support/page-client.ts'
import { useService } from '../support/service.ts'

// Names of inherited object properties, in each place that accepts a name: none of them is found, and no response shows
// the property.

const service = useService({ operatorPassword: password, freeJobsPerMonth: 10_000 })
let operator: PageClient
beforeAll(async () => {
  operator = await openConsole(service)
})

const names = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'length', 'then']

/** As text: in an object literal `__proto__` would not become a field. */
const field = (name: string, value: string) => `{${JSON.stringify(name)}: ${value}}`
const json = { 'content-type': 'application/json' }
const submit = (body: string, headers: [string, string][] = []) =>
  service.call('/v1/conversions', { method: 'POST', headers: [...Object.entries(json), ...headers], body })
const order = (pair: string, more = '') => `{"pair": ${JSON.stringify(pair)}, "bytes": 5${more}}`
const ask = (path: string) => operator.call(path)
const change = (path: string, body: string) => operator.call(path, { method: 'POST', headers: json, body })
const useTool = (tool: string, given: string) =>
  service.call('/mcp', {
    method: 'POST',
    headers: { ...json, accept: 'application/json, text/event-stream' },
    body: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": ${JSON.stringify(tool)}, "arguments": ${given}}}`,
  })
const quoted = (name: string) => JSON.stringify(name)

const places: Readonly<Record<string, (name: string) => Promise<Response>>> = {
  'a pair': (name) => submit(order(name)),
  'the source of a pair': (name) => submit(order(`${name}-to-html`)),
  'the target of a pair': (name) => submit(order(`md-to-${name}`)),
  'a field of a submit': (name) => submit(order('md-to-html', `, ${quoted(name)}: 1`)),
  'an option': (name) => submit(order('md-to-html', `, "options": ${field(name, '"x"')}`)),
  'the value of an option': (name) => submit(order('docx-to-pdf', `, "options": {"pages": ${quoted(name)}}`)),
  'the choice of an option': (name) =>
    submit(order('docx-to-pdf', `, "options": {"comments": ${quoted(name)}}`)),
  'the name of a header': (name) => submit(order('md-to-html'), [[name, 'x']]),
  'the type of a body': (name) =>
    service.call('/v1/conversions', {
      method: 'POST',
      headers: { 'content-type': `application/${name}` },
      body: order('md-to-html'),
    }),
  'a preference': (name) =>
    service.call('/v1/conversions/x', { headers: { prefer: `${name}, ${name}=1, wait=${name}` } }),
  'an encoding, a language': (name) =>
    service.call('/v1/formats', {
      headers: { accept: name, 'accept-language': name, 'accept-encoding': name },
    }),
  'a method': (name) => service.call('/v1/formats', { method: name }),
  'a key': (name) => service.call('/v1/usage', { key: name }),
  'a job': (name) => service.call(`/v1/conversions/${name}`),
  'a job to delete': (name) => service.call(`/v1/conversions/${name}`, { method: 'DELETE' }),
  'the report of a job': (name) => service.call(`/v1/conversions/${name}/report`),
  'a described pair': (name) => service.call(`/v1/formats/${name}`),
  'a route': (name) => service.call(`/v1/${name}`),
  'a query parameter': (name) => service.call(`/v1/formats?${name}=1&from=${name}&to=${name}`),
  'a file of a page': (name) => fetch(`${originOf(service)}/pages/${name}`),
  'a file of the console': (name) => fetch(`${originOf(service)}/assets/${name}`),
  'a page': (name) => fetch(`${originOf(service)}/${name}`),
  'a page of the console': (name) => fetch(`${originOf(service)}/console/${name}`),
  'a route of the console': (name) => ask(`/${name}`),
  'a time of the charts': (name) => ask(`/charts?over=${name}`),
  'a list of jobs, by status': (name) => ask(`/jobs?status=${name}`),
  'a list of jobs, by anything else': (name) => ask(`/jobs?pair=${name}&reason=${name}&${name}=1`),
  'a list of accounts': (name) => ask(`/accounts?search=${name}&${name}=1`),
  'an account': (name) => change('/accounts', `{"name": ${quoted(name)}, ${quoted(name)}: 1}`),
  'a tool': (name) => useTool(name, '{}'),
  'the formats of a tool': (name) =>
    useTool('convert_file', `{"from": ${quoted(name)}, "to": ${quoted(name)}, "text": "hello"}`),
  'the listed formats of a tool': (name) =>
    useTool('list_formats', `{"from": ${quoted(name)}, "to": ${quoted(name)}}`),
  'an option of a tool': (name) =>
    useTool(
      'convert_file',
      `{"from": "md", "to": "html", "bytes": 5, "options": ${field(name, '"x"')}, ${quoted(name)}: 1}`,
    ),
}

test.each(Object.keys(places))('as %s', async (place) => {
  for (const name of names) {
    const answer = await places[place]?.(name)
    const text = (await answer?.text()) ?? ''
    expect(answer?.status, `${name}: ${text}`).toBeLessThan(500)
    expect(text, name).not.toMatch(/native code|function\s*\w*\s*\(|\[object /)
    if (answer?.headers.get('content-type')?.startsWith('text/html') || answer?.ok) continue
    expect(JSON.parse(text), name).toEqual({ error: expect.any(String), code: expect.any(String) })
  }
})
