import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../shared/parts/button.tsx'

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
        <Button text="Choose files" onClick={() => files.current?.click()} />
        <Button kind="quiet" text="Choose a folder" onClick={() => folder.current?.click()} />
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

// Files out of an input or a drop, folders included, each with its path below the folder that was chosen.

export interface ChosenFile {
  file: File
  name: string
}

const maxFiles = 500

const filesOfInput = (files: FileList | null): ChosenFile[] =>
  withoutHidden([...(files ?? [])].map((file) => ({ file, name: file.webkitRelativePath || file.name })))

async function filesOfDrop(transfer: DataTransfer): Promise<ChosenFile[]> {
  // The entries have to be taken before the first await: the browser empties the list after the event.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  if (entries.every((entry) => entry === null)) return filesOfInput(transfer.files)
  const found: ChosenFile[] = []
  for (const entry of entries) if (entry) await walk(entry, '', found)
  return withoutHidden(found)
}

async function walk(entry: FileSystemEntry, folder: string, found: ChosenFile[]): Promise<void> {
  if (found.length >= maxFiles) return
  const name = folder + entry.name
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    found.push({ file, name })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  for (;;) {
    // A reader gives a hundred entries at a time.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (batch.length === 0) return
    for (const each of batch) await walk(each, `${name}/`, found)
  }
}

/** Files such as .DS_Store are not meant when a folder is chosen. */
const withoutHidden = (files: ChosenFile[]): ChosenFile[] =>
  files.filter(({ name }) => !name.split('/').some((part) => part.startsWith('.'))).slice(0, maxFiles)
