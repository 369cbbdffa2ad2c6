// A module. The API reference without it has everything but the form and the search.

/** @typedef {{ error?: string, jobId: string, uploadUrl: string, status: string, downloadUrl: string | null }} Answer */

const sample = '# A heading\n\nSome *Markdown* from the API reference.\n'

/** @type {HTMLFormElement | null} */
const form = document.querySelector('#try-form')
const exchange = document.querySelector('#exchange')
const buttons = document.querySelector('#option-buttons')

/** @param {string} name @returns {any} */
const field = (name) => form?.elements.namedItem(name)

/** @param {string} tag @param {string} text */
function element(tag, text) {
  const made = document.createElement(tag)
  made.textContent = text
  return made
}

/** One entry of the list of requests. @param {string} title @param {string} [body] */
function show(title, body) {
  const item = document.createElement('li')
  item.append(element('p', title))
  if (body) {
    const block = element('pre', body)
    block.tabIndex = 0
    item.append(block)
  }
  exchange?.append(item)
  return item
}

/** Links of the service lead to the origin of this page; those of a bucket stay. @param {string} url */
function reachable(url) {
  const base = form?.dataset.publicUrl ?? ''
  return url.startsWith(`${base}/`) ? location.origin + url.slice(base.length) : url
}

/** @param {string} path @param {RequestInit} [init] @returns {Promise<Answer>} */
async function call(path, init = {}) {
  const headers = { authorization: `Bearer ${field('key').value}`, ...init.headers }
  const address = `${form?.dataset.base}${path}`
  const response = await fetch(address, { ...init, headers })
  const body = await response.json()
  show(`${init.method ?? 'GET'} ${address}: ${response.status}`, JSON.stringify(body, null, 2))
  if (!response.ok) throw new Error(body.error)
  return body
}

/** @param {string} jobId */
async function waitForEnd(jobId) {
  for (;;) {
    const job = await call(`/v1/conversions/${jobId}`, { headers: { prefer: 'wait=25' } })
    if (job.status === 'done' || job.status === 'failed') return job
  }
}

async function convert() {
  const pair = field('pair').value
  /** @type {File | undefined} */
  const chosen = field('file').files[0]
  if (!chosen && !pair.startsWith('md-to-')) throw new Error('Choose a file: the sample is Markdown.')
  const file = chosen ?? new Blob([sample])
  const options = JSON.parse(field('options').value || '{}')
  const submitted = await call('/v1/conversions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ pair, bytes: file.size, options }),
  })
  const uploaded = await fetch(reachable(submitted.uploadUrl), { method: 'PUT', body: file })
  show(`PUT uploadUrl: ${uploaded.status}`, await uploaded.text())
  if (!uploaded.ok) throw new Error('The upload was refused.')
  const job = await waitForEnd(submitted.jobId)
  await call(`/v1/conversions/${submitted.jobId}/report`)
  if (job.downloadUrl === null) throw new Error('The conversion failed.')
  const link = document.createElement('a')
  link.className = 'button'
  link.href = reachable(job.downloadUrl)
  link.textContent = 'Download the output'
  show('Done.').append(link)
}

form?.addEventListener('submit', async (event) => {
  event.preventDefault()
  exchange?.replaceChildren()
  const button = form.querySelector('button[type=submit]')
  button?.setAttribute('disabled', '')
  try {
    await convert()
  } catch (error) {
    const text = error instanceof SyntaxError ? `The options are not JSON: ${error.message}` : String(error)
    show(text.replace(/^Error: /, '')).className = 'notice bad'
  } finally {
    button?.removeAttribute('disabled')
  }
})

/** Offers the options of the pair: each button adds an option with its example. */
async function offerOptions() {
  if (!form || !buttons) return
  const pair = field('pair').value
  const response = await fetch(`${form.dataset.base}/v1/formats/${encodeURIComponent(pair)}`)
  if (!response.ok || pair !== field('pair').value) return
  const { options } = await response.json()
  const offered = Object.entries(options.properties).map(([name, schema]) => {
    const button = element('button', schema.title)
    button.setAttribute('type', 'button')
    button.className = 'button quiet small'
    button.addEventListener('click', () => addOption(name, schema.examples?.[0] ?? ''))
    return button
  })
  buttons.replaceChildren(...offered)
}

/** @param {string} name @param {unknown} value */
function addOption(name, value) {
  let options = {}
  try {
    options = JSON.parse(field('options').value || '{}')
  } catch {
    // Text that is not JSON is replaced.
  }
  field('options').value = JSON.stringify({ ...options, [name]: value }, null, 2)
}

field('pair')?.addEventListener('change', () => {
  field('options').value = '{}'
  void offerOptions()
})
field('file')?.addEventListener('change', () => {
  document.querySelector('#sample')?.toggleAttribute('hidden', field('file').files.length > 0)
})
void offerOptions()

/** @type {HTMLInputElement | null} */
const find = document.querySelector('#find-pair')
/** @type {NodeListOf<HTMLElement>} */
const groups = document.querySelectorAll('#groups > details')
find?.parentElement?.removeAttribute('hidden')
find?.addEventListener('input', () => {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const group of groups) {
    let shown = 0
    /** @type {NodeListOf<HTMLElement>} */
    const pairs = group.querySelectorAll('[data-pair]')
    for (const pair of pairs) {
      pair.hidden = !words.every((word) => pair.dataset.pair?.includes(word))
      if (!pair.hidden) shown++
    }
    group.hidden = shown === 0
  }
  const isEmpty = [...groups].every((group) => group.hidden)
  document.querySelector('#no-group')?.toggleAttribute('hidden', !isEmpty)
})
