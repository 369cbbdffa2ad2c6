/**
 * Gives the same answer to everybody who asks the same at once or within this time of the last answer. For
 * questions that many may ask and that cost the database something; there are few different ones.
 */
export function keepBriefly<Question extends [] | [string], Answer>(
  milliseconds: number,
  ask: (...question: Question) => Promise<Answer>,
): (...question: Question) => Promise<Answer> {
  const kept = new Map<string | undefined, { answer: Promise<Answer>; until: number }>()
  return (...question) => {
    const last = kept.get(question[0])
    if (last && performance.now() < last.until) return last.answer
    const now = { answer: ask(...question), until: Number.POSITIVE_INFINITY }
    const settled = () => {
      now.until = performance.now() + milliseconds
    }
    now.answer.then(settled, settled)
    kept.set(question[0], now)
    return now.answer
  }
}
