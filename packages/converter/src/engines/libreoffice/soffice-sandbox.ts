import { totalmem } from 'node:os'
import type { SandboxSpec } from '../../sandbox/sandbox.ts'
import type { Fonts } from '../fonts.ts'

const mebibyte = 1024 * 1024

// A typical letter takes a second; a report of 340 pages with a hundred embedded charts took 40 seconds of CPU time and
// 2.2 GB. The wall time limit allows for a busy machine.
export const officeWallSeconds = 420
const cpuSeconds = 240
const memoryBytes = Math.floor(Math.min(4096 * mebibyte, Math.max(2048 * mebibyte, totalmem() / 2)))

export const soffice = '/usr/lib/libreoffice/program/soffice.bin'

/** The sandbox of LibreOffice; arguments and folders are set by the caller. */
export function sofficeSandbox(
  { places }: Fonts,
  { wallSeconds = officeWallSeconds }: { wallSeconds?: number } = {},
): Omit<SandboxSpec, 'inFolder' | 'outFolder'> & { readOnly: NonNullable<SandboxSpec['readOnly']> } {
  return {
    // A shell, for one fixed script that copies the profile; the script never contains user input.
    program: '/bin/sh',
    args: [],
    readOnly: [
      ...places,
      // Debian keeps LibreOffice's main registry here.
      { from: '/etc/libreoffice', to: '/etc/libreoffice', optional: true },
      { from: '/var/lib/libreoffice', to: '/var/lib/libreoffice', optional: true },
      // LibreOffice works without it, but exits if it exists and cannot be read, as at a sandbox level without mounts.
      { from: '/var/spool/libreoffice', to: '/var/spool/libreoffice', optional: true },
    ],
    // LibreOffice looks up its own executable in /proc and does not start without it.
    proc: true,
    limits: {
      wallSeconds,
      cpuSeconds,
      memoryBytes,
      processes: 64,
      fileBytes: 512 * mebibyte,
      diskBytes: 768 * mebibyte,
      logBytes: 64 * 1024,
    },
  }
}
