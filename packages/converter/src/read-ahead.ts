// The modules that a thread needs for most files: detection, reading the visible content, preparing office documents,
// output checks. A pre-warmed thread has loaded them before its first file.
import './catalog/inspect-input.ts'
import './checks/pdf-facts.ts'
import './checks/source/shows.ts'
import './checks/text.ts'
import './engines/libreoffice/prepare-source.ts'
