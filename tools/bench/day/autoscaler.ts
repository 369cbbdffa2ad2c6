// How Kubernetes' HorizontalPodAutoscaler decides, for one external metric with an average target: every 15 s,
// from the metric alone. It wants as many pods as the metric holds targets, leaves a deviation of a tenth alone,
// takes the least that it wanted in the window for growing and the most in the window for shrinking, and bounds
// both by what the policies allow within their periods.

export interface Policy {
  type: 'Pods' | 'Percent'
  value: number
  periodSeconds: number
}

interface Direction {
  stabilizationWindowSeconds: number
  policies: readonly Policy[]
}

export interface ScalingRules {
  minReplicas: number
  maxReplicas: number
  /** Of the metric, for each pod. */
  target: number
  scaleUp: Direction
  scaleDown: Direction
}

export const syncSeconds = 15
const tolerance = 0.1

/** A function that is told the time, the pods there are and the metric, and answers how many pods there shall be. */
export function createAutoscaler(
  rules: ScalingRules,
): (now: number, replicas: number, metric: number) => number {
  const { scaleUp, scaleDown } = rules
  const wanted: { at: number; replicas: number }[] = []
  const changes: { at: number; by: number }[] = []

  const since = (now: number, seconds: number) => wanted.filter(({ at }) => at > now - seconds)
  const changedBy = (now: number, seconds: number, sign: 1 | -1) =>
    changes
      .filter(({ at, by }) => at > now - seconds && Math.sign(by) === sign)
      .reduce((sum, { by }) => sum + by, 0)

  const mostAllowed = (now: number, replicas: number) =>
    Math.max(
      ...scaleUp.policies.map(({ type, value, periodSeconds }) => {
        const before = replicas - changedBy(now, periodSeconds, 1)
        return type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100))
      }),
    )
  const leastAllowed = (now: number, replicas: number) =>
    Math.min(
      ...scaleDown.policies.map(({ type, value, periodSeconds }) => {
        const before = replicas - changedBy(now, periodSeconds, -1)
        return type === 'Pods' ? before - value : Math.trunc(before * (1 - value / 100))
      }),
    )

  return (now, replicas, metric) => {
    const ratio = metric / (rules.target * replicas)
    const raw = Math.abs(ratio - 1) <= tolerance ? replicas : Math.ceil(metric / rules.target)
    const own = Math.min(rules.maxReplicas, Math.max(rules.minReplicas, raw))
    const up = Math.min(own, ...since(now, scaleUp.stabilizationWindowSeconds).map((each) => each.replicas))
    const down = Math.max(
      own,
      ...since(now, scaleDown.stabilizationWindowSeconds).map((each) => each.replicas),
    )
    wanted.push({ at: now, replicas: own })
    const longest = Math.max(scaleUp.stabilizationWindowSeconds, scaleDown.stabilizationWindowSeconds)
    while (wanted[0] && wanted[0].at <= now - longest) wanted.shift()

    let next = replicas
    if (up > replicas) next = Math.max(replicas, Math.min(up, mostAllowed(now, replicas)))
    else if (down < replicas) next = Math.min(replicas, Math.max(down, leastAllowed(now, replicas)))
    if (next !== replicas) changes.push({ at: now, by: next - replicas })
    return next
  }
}
