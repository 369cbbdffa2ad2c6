// What a thread does for most files: looking into them, reading what they show, preparing office documents, checking
// what came out. A thread that is started before its first file has read all of it.
import './catalog/sniff-input.ts'
import './checks/pdf-facts.ts'
import './checks/source/shows.ts'
import './checks/text.ts'
import './engines/libreoffice/prepare-source.ts'
