import { withUpload } from '../catalog/file-types/upload.ts'
import { readZipPackage } from '../package/read-package.ts'
import type { Findings } from '../report/findings.ts'

/** The archive unpacks and holds files. The program that wrote them has opened each of them (edit-pdf/process_files.py). */
export const checkFiles = (path: string): Promise<Findings> =>
  withUpload(path, async (file) => {
    const { names } = await readZipPackage(file, { wanted: [] })
    if (names.size === 0) throw new Error('the archive holds no file')
    return {}
  })
