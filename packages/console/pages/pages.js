// A module. The public page is whole without this. The search answers while one types, and code can be copied.

/** @type {HTMLInputElement | null} */
const search = document.querySelector('#q')
/** @type {NodeListOf<HTMLTableRowElement>} */
const rows = document.querySelectorAll('#pairs tbody tr')
const count = document.querySelector('#count')
/** @type {HTMLElement | null} */
const none = document.querySelector('#none')

/** @param {string} query */
function filter(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  let shown = 0
  for (const row of rows) {
    const text = row.dataset.text ?? ''
    row.hidden = !words.every((word) => text.includes(word))
    if (!row.hidden) shown++
  }
  if (count)
    count.textContent =
      shown === rows.length ? `${shown} conversions` : `${shown} of ${rows.length} conversions`
  if (none) none.hidden = shown > 0
}

if (search) {
  search.addEventListener('input', () => {
    filter(search.value)
    const url = new URL(location.href)
    if (search.value) url.searchParams.set('q', search.value)
    else url.searchParams.delete('q')
    history.replaceState(null, '', url)
  })
  search.form?.addEventListener('submit', (event) => event.preventDefault())
  search.form?.querySelector('button')?.setAttribute('hidden', '')
}

for (const block of document.querySelectorAll('[data-copy]')) {
  const code = block.querySelector('code')
  if (!code) continue
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button quiet small'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = 'Copied'
    } catch {
      // Browsers give the clipboard to secure pages only; the text is marked, to be copied by hand.
      const range = document.createRange()
      range.selectNodeContents(code)
      getSelection()?.removeAllRanges()
      getSelection()?.addRange(range)
      button.textContent = 'Selected'
    }
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1600)
  })
  block.classList.add('copyable')
  block.append(button)
}
