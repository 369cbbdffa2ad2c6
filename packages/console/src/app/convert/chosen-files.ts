// Files out of an input or a drop, folders included, each with its path below the folder that was chosen.

export interface ChosenFile {
  file: File
  name: string
}

const maxFiles = 500

export const filesOfInput = (files: FileList | null): ChosenFile[] =>
  withoutHidden([...(files ?? [])].map((file) => ({ file, name: file.webkitRelativePath || file.name })))

export async function filesOfDrop(transfer: DataTransfer): Promise<ChosenFile[]> {
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
