/** Another worker has the job, or it has ended. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
