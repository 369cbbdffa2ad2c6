import { docx } from '@kiln/test-support/documents.ts'
import { describe, expect, test } from 'vitest'
import type { Peer } from './run-scenario.ts'

// docling-serve's, Open WebUI's and Tika's requests to the service of gotenberg.test.ts.

const page = '<!doctype html><title>Clay</title><h1>Clay</h1><p>It is <em>fired</em>.</p>'
const twoPages = '<!doctype html><h1>One</h1><p style="break-before: page">Two</p>'

/** As much of the answers as is read one by one. */
interface Body {
  status: string
  errors: unknown[]
  document: { md_content: string; text_content: string; json_content: unknown }
  task_id: string
  task_status: string
}

export function testExtraction(peer: Peer): void {
  const call = (path: string, init: RequestInit = {}) =>
    fetch(peer.base + path, {
      ...init,
      headers: { authorization: `Bearer ${peer.key}`, ...(init.headers as Record<string, string>) },
    })
  const json = async (answer: Promise<Response>) => {
    const response = await answer
    return { status: response.status, body: (await response.json()) as Body }
  }
  const form = (
    name: string,
    file: string | Uint8Array,
    fields: readonly (readonly [string, string])[] = [],
  ) => {
    const body = new FormData()
    body.append('files', new Blob([Buffer.from(file)]), name)
    for (const [field, value] of fields) body.append(field, value)
    return { method: 'POST', body }
  }
  const pdf = async () =>
    Buffer.from(
      await (await call('/forms/chromium/convert/html', form('index.html', twoPages))).arrayBuffer(),
    )

  describe('docling-serve', () => {
    test('files, in several formats', async () => {
      const fields = [
        ['to_formats', 'md'],
        ['to_formats', 'text'],
        ['do_ocr', 'true'],
        ['table_mode', 'fast'],
      ] as const
      const { status, body } = await json(call('/v1/convert/file', form('clay.html', page, fields)))
      expect([status, body.status, body.errors]).toEqual([200, 'success', []])
      expect(body.document).toMatchObject({ filename: 'clay.html', html_content: null, json_content: null })
      expect(body.document.md_content).toMatch(/^# Clay\n\nIt is \*fired\*\.$/m)
      expect(body.document.text_content).toMatch(/It is fired\./)
    })

    test('pages, with a mark between them, and only some', async () => {
      const file = await pdf()
      const marked = [['md_page_break_placeholder', '<!-- page -->']] as const
      const all = await json(call('/v1/convert/file', form('a.pdf', file, marked)))
      expect(all.body.document.md_content).toMatch(/One\W*\n<!-- page -->\s+Two/)
      const second = await json(call('/v1/convert/file', form('a.pdf', file, [['page_range', '[2, 2]']])))
      expect(second.body.document.md_content.trim()).toBe('Two')
    })

    test('files in base64, but none from the network', async () => {
      const post = (body: unknown) =>
        json(call('/v1/convert/source', { method: 'POST', body: JSON.stringify(body) }))
      const base64_string = Buffer.from(page).toString('base64')
      const sources = [{ kind: 'file', base64_string, filename: 'clay.html' }]
      const { body } = await post({ sources, options: { to_formats: ['json'] } })
      expect(body.document.json_content).toMatchObject({
        schema_name: 'DoclingDocument',
        texts: expect.arrayContaining([expect.objectContaining({ label: 'section_header', text: 'Clay' })]),
      })
      const fetched = await post({ sources: [{ kind: 'http', url: 'http://127.0.0.1/a.pdf' }] })
      expect(fetched).toEqual({ status: 403, body: { detail: expect.stringContaining('does not fetch') } })
    })

    test('a task, its state and its result', async () => {
      const { body: task } = await json(call('/v1/convert/file/async', form('clay.html', page)))
      expect(task).toMatchObject({ task_status: 'pending', task_type: 'convert' })
      await expect
        .poll(async () => (await json(call(`/v1/status/poll/${task.task_id}`))).body.task_status)
        .toBe('success')
      const { body } = await json(call(`/v1/result/${task.task_id}`))
      expect(body.document).toMatchObject({
        filename: 'clay.html',
        md_content: expect.stringMatching(/# Clay/),
      })
      const [jobId] = task.task_id.split('.')
      const inherited = '{"name":"a","to":"toString","placeholder":""}'
      for (const made of ['null', '{}', '{"name":1,"to":"md","placeholder":""}', inherited, 'no JSON'])
        expect((await call(`/v1/result/${jobId}.${Buffer.from(made).toString('base64url')}`)).status).toBe(
          404,
        )
    })

    test('errors have the form of docling-serve', async () => {
      for (const [field, value] of [
        ['to_formats', 'doctags'],
        ['page_range', '3'],
        ['do_picture_description', 'true'],
      ] as const) {
        const wrong = await json(call('/v1/convert/file', form('clay.html', page, [[field, value]])))
        expect(wrong).toMatchObject({ status: 422, body: { detail: [{ msg: expect.any(String) }] } })
      }
      const damaged = await json(call('/v1/convert/file', form('a.docx', 'PK\x03\x04 nothing')))
      expect(damaged).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/damaged/) } })
    })
  })

  test("Open WebUI's external loader has one item per page", async () => {
    const { body } = await json(
      call('/process', { method: 'PUT', body: await pdf(), headers: { 'x-filename': 'a%20b.pdf' } }),
    )
    expect(body).toMatchObject([
      {
        page_content: expect.stringContaining('One'),
        metadata: { source: 'a b.pdf', page: 1, total_pages: 2 },
      },
      { page_content: expect.stringContaining('Two'), metadata: { page: 2 } },
    ])
  })

  describe('Tika', () => {
    const put = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
      call(path, { method: 'PUT', body: Buffer.from(body), headers })
    const letter = docx('Dear reader')

    test('text, as a body and in a form', async () => {
      const answers = [
        await put('/tika', letter),
        await put('/tika/text', letter, { accept: 'text/plain' }),
        await call('/tika/form/text', form('letter.docx', letter)),
      ]
      for (const answer of answers) {
        const type = answer.headers.get('content-type') ?? ''
        const said = type.includes('json')
          ? (((await answer.json()) as Record<string, string>)['X-TIKA:content'] ?? '')
          : await answer.text()
        expect([answer.status, said.trim()]).toEqual([200, 'Dear reader'])
      }
    })

    test('metadata, and both together', async () => {
      const file = await pdf()
      expect((await json(put('/meta', file, { accept: 'application/json' }))).body).toMatchObject({
        'Content-Type': 'application/pdf',
        'X-TIKA:Parsed-By': expect.anything(),
        'xmpTPg:NPages': '2',
      })
      expect((await json(call('/meta/form', form('a.pdf', file)))).body).toMatchObject({
        'xmpTPg:NPages': '2',
      })
      expect((await json(put('/rmeta/text', letter))).body).toMatchObject([
        { 'X-TIKA:content': expect.stringContaining('Dear reader') },
      ])
    })

    test('the type of a file, and what cannot be parsed', async () => {
      expect(await (await put('/detect/stream', letter)).text()).toBe(
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      )
      expect(
        (await put('/tika', 'PK\x03\x04 nothing', { 'content-type': 'application/msword' })).status,
      ).toBe(422)
    })
  })
}
