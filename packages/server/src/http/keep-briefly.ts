/**
 * Gives the same answer to everybody who asks at once or within this time of the last answer. For questions that
 * anybody may ask and that cost the database something.
 */
export function keepBriefly<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let kept: Promise<Answer> | null = null
  let until = 0
  return () => {
    if (kept && performance.now() < until) return kept
    const settled = () => {
      until = performance.now() + milliseconds
    }
    kept = ask()
    until = Number.POSITIVE_INFINITY
    kept.then(settled, settled)
    return kept
  }
}
