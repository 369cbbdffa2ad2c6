import type { ComponentType } from 'preact'

// The props of the cards of an account: the path of its routes, and how a job is named or linked to.

export interface AccountCardProps {
  /** Below the interface, such as `/account`. */
  accountPath: string
  JobName: ComponentType<{ id: string }>
}
