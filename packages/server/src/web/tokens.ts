import { hash, randomBytes } from 'node:crypto'

// Tokens of sessions, invitations and passkey challenges: 256 random bits. The database stores their hash alone.

export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
