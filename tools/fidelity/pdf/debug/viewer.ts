import { escapeXml } from '../../../../packages/pdf/src/write/xml.ts'
import { drawStages, layerNames, type StageView } from './draw.ts'

// A self-contained HTML page for developers of the stages: the rendered page with bounding boxes and the output side by
// side.

export interface PageView extends StageView {
  markdown: string
  html: string
}

/** Hidden by default: glyphs are drawn over the picture of the page, which already shows them. */
const hidden = new Set<string>(['glyphs', 'fills', 'pictures'])

export function viewPage(view: PageView): string {
  const boxes = layerNames.map(
    (name) =>
      `<label><input type="checkbox" value="${name}"${hidden.has(name) ? '' : ' checked'}> ${name}</label>`,
  )
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Page ${view.page.number + 1}</title>
<style>
body { margin: 0; font: 14px sans-serif }
header { position: sticky; top: 0; padding: 6px 12px; background: #eee }
label { margin-right: 10px }
main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; padding: 12px }
svg { width: 100%; height: auto; border: 1px solid #999 }
iframe { width: 100%; height: 90vh; border: 1px solid #999 }
pre { white-space: pre-wrap; margin: 0; max-height: 90vh; overflow: auto }
</style>
</head>
<body>
<header>${boxes.join('')}</header>
<main>
<div>${drawStages(view)}</div>
<iframe sandbox srcdoc="${escapeXml(view.html)}"></iframe>
<pre>${escapeXml(view.markdown)}</pre>
</main>
<script>
for (const box of document.querySelectorAll('input')) {
  const show = () => { document.getElementById(box.value).style.display = box.checked ? '' : 'none' }
  box.addEventListener('change', show)
  show()
}
</script>
</body>
</html>
`
}
