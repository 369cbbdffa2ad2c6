import type { ComponentType } from 'preact'

// What the cards of an account need to know: where its routes are, and how a job is named or linked to.

export interface AccountCardProps {
  /** Below the interface, such as `/account`. */
  accountPath: string
  JobName: ComponentType<{ id: string }>
}
