import { constants } from 'node:os'

export const signalName = (number: number): string | undefined =>
  Object.entries(constants.signals).find(([, candidate]) => candidate === number)?.[0]
