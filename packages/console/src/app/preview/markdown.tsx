import { micromark } from 'micromark'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'
import { useEffect, useRef } from 'preact/hooks'
import { ScrollArea } from '../../shared/parts/table.tsx'

// micromark is safe by default: it escapes HTML in the text and drops links with dangerous protocols. The content
// policy of the page keeps pictures of other sites from loading.

export function Markdown({ text }: { text: string }) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!element.current) return
    element.current.innerHTML = micromark(text, {
      extensions: [gfmTable()],
      htmlExtensions: [gfmTableHtml()],
    })
    for (const link of element.current.querySelectorAll('a')) {
      link.target = '_blank'
      link.rel = 'noreferrer'
    }
  }, [text])
  return (
    <ScrollArea class="preview-markdown" label="Preview">
      <article ref={element} />
    </ScrollArea>
  )
}
