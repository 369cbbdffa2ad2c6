import { useEffect, useRef, useState } from 'preact/hooks'
import { type ChosenFile, filesOfDrop, filesOfInput } from './chosen-files.ts'

export interface DropZoneProps {
  isSmall: boolean
  onFiles: (files: ChosenFile[]) => void
}

/** Files can be dropped anywhere on the page; the buttons work with the keyboard and on a phone. */
export function DropZone({ isSmall, onFiles }: DropZoneProps) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const isOver = useDrop(onFiles)
  const input = {
    type: 'file' as const,
    hidden: true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      onFiles(filesOfInput(currentTarget.files))
      // The same file may be chosen again.
      currentTarget.value = ''
    },
  }
  return (
    <section class={`drop-zone ${isSmall ? 'small' : ''} ${isOver ? 'over' : ''}`} aria-label="Add files">
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <path d="M24 32V12m0 0-8 8m8-8 8 8" />
        <path d="M8 30v6a4 4 0 0 0 4 4h24a4 4 0 0 0 4-4v-6" />
      </svg>
      <p class="drop-text">{isOver ? 'Let go to add the files' : 'Drop files or a folder here'}</p>
      <p class="drop-actions">
        <button type="button" class="button" onClick={() => files.current?.click()}>
          Choose files
        </button>
        <button type="button" class="button quiet folder" onClick={() => folder.current?.click()}>
          Choose a folder
        </button>
      </p>
      <input {...input} ref={files} multiple aria-label="Files" />
      <input {...input} ref={folder} {...{ webkitdirectory: true }} aria-label="Folder" />
    </section>
  )
}

function useDrop(onFiles: (files: ChosenFile[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      setOver(false)
      void filesOfDrop(event.dataTransfer).then((files) => latest.current(files))
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
