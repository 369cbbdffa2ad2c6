import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { type Manner, useContractBox } from './contract-sandbox.ts'
import { cpuTimeContract } from './cpu-time.contract.ts'
import { endsContract } from './ends.contract.ts'
import { takesMuchContract } from './takes-much.contract.ts'
import { wantsOutContract } from './wants-out.contract.ts'

// What every level must do, shown by tiny programs that misbehave. Each carries a mark in its arguments,
// so that what is left of it can be found among all processes of the machine. All of it holds for a box that is run
// at once, and for one that waited for its document before.

export function sandboxContract(
  open: () => Promise<Sandbox & { close(): Promise<void> }>,
  manner: Manner,
): void {
  const box = useContractBox(open, manner)
  endsContract(box)
  cpuTimeContract(box)
  takesMuchContract(box)
  wantsOutContract(box)
}
