import { isOle } from '../../catalog/file-types/ole.ts'
import type { Mail } from './mail.ts'
import { readEml } from './read-eml.ts'
import { readMsg } from './read-msg.ts'

export const readMail = (bytes: Buffer): Promise<Mail> => (isOle(bytes) ? readMsg(bytes) : readEml(bytes))
