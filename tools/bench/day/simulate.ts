import { createAgenda } from './agenda.ts'
import { createAutoscaler, type ScalingRules, syncSeconds } from './autoscaler.ts'
import type { Job } from './workload.ts'

// Jobs in one line, pods that take from its head. A pod takes work once it has started, and every slot holds one
// job. A pod that is taken away takes no more; what it runs ends, or goes back to the head of the line when the
// drain time is over, and begins anew. Time jumps from event to event. The autoscaler sees what the last scrape
// saw.

export interface PodFacts {
  cores: number
  slots: number
  /** From the wish for a pod to its first job. */
  startSeconds: number
  drainSeconds: number
}

interface Autoscaling {
  rules: ScalingRules
  scrapeSeconds: number
  /** The metric is the mean of what was scraped in this time. */
  averagedSeconds: number
}

export type Scaling = { fixed: number } | Autoscaling

export interface Ended extends Job {
  /** From the arrival to the start of the attempt that ended it. */
  waited: number
}

export interface Outcome {
  ended: Ended[]
  /** Attempts that a pod's end cut short. */
  cutShort: number
  coreHours: number
  /** The cores that were held, from each moment of change on. */
  cores: { at: number; cores: number }[]
}

interface Pod {
  state: 'starting' | 'ready' | 'draining' | 'gone'
  running: Set<Run>
}

interface Run {
  job: Job
  pod: Pod
  began: number
}

export function simulate(jobs: readonly Job[], pod: PodFacts, scaling: Scaling): Outcome {
  const events = createAgenda()
  const line: Job[] = []
  let head = 0
  const returned: Job[] = []
  const pods: Pod[] = []
  const ended: Ended[] = []
  const cores: Outcome['cores'] = []
  let running = 0
  let cutShort = 0
  let coreSeconds = 0
  let countedUntil = 0

  const count = (now: number) => {
    coreSeconds += pods.length * pod.cores * (now - countedUntil)
    countedUntil = now
  }
  const note = (now: number) => cores.push({ at: now, cores: pods.length * pod.cores })
  const waiting = () => returned.length + line.length - head

  const addPod = (now: number, startSeconds: number) => {
    count(now)
    const added: Pod = { state: 'starting', running: new Set() }
    pods.push(added)
    note(now)
    const ready = (at: number) => {
      if (added.state !== 'starting') return
      added.state = 'ready'
      take(at)
    }
    if (startSeconds === 0) ready(now)
    else events.add(now + startSeconds, ready)
  }

  const remove = (now: number, gone: Pod) => {
    count(now)
    gone.state = 'gone'
    pods.splice(pods.indexOf(gone), 1)
    note(now)
  }

  const stopPod = (now: number, stopped: Pod) => {
    stopped.state = 'draining'
    if (stopped.running.size === 0) return remove(now, stopped)
    events.add(now + pod.drainSeconds, (at) => {
      if (stopped.state === 'gone') return
      for (const { job } of stopped.running) {
        returned.push(job)
        cutShort++
        running--
      }
      stopped.running.clear()
      remove(at, stopped)
      take(at)
    })
  }

  const take = (now: number) => {
    for (const each of pods) {
      if (each.state !== 'ready') continue
      while (each.running.size < pod.slots) {
        const job = returned.shift() ?? line[head++]
        if (!job) {
          head = line.length
          return
        }
        start(now, job, each)
      }
    }
  }

  const start = (now: number, job: Job, on: Pod) => {
    const run: Run = { job, pod: on, began: now }
    on.running.add(run)
    running++
    events.add(now + job.seconds, (at) => {
      if (!on.running.delete(run)) return
      running--
      ended.push({ ...job, waited: run.began - job.arrives })
      if (on.state === 'ready') take(at)
      else if (on.running.size === 0) remove(at, on)
    })
  }

  const scale = ({ rules, scrapeSeconds, averagedSeconds }: Autoscaling) => {
    const decide = createAutoscaler(rules)
    const scraped: number[] = []
    const unlessDone = (at: number, every: number, what: (at: number) => void) =>
      events.add(at, (now) => {
        what(now)
        if (ended.length < jobs.length) unlessDone(now + every, every, what)
      })
    unlessDone(scrapeSeconds / 2, scrapeSeconds, () => {
      scraped.push(waiting() + running)
      if (scraped.length > averagedSeconds / scrapeSeconds) scraped.shift()
    })
    unlessDone(syncSeconds, syncSeconds, (now) => {
      const kept = pods.filter(({ state }) => state !== 'draining')
      const wanted = decide(now, kept.length, scraped.reduce((sum, each) => sum + each, 0) / scraped.length)
      for (let more = kept.length; more < wanted; more++) addPod(now, pod.startSeconds)
      // The youngest go first, those that have not started before all others.
      for (const stopped of kept.slice(wanted)) stopPod(now, stopped)
    })
  }

  const first = 'fixed' in scaling ? scaling.fixed : scaling.rules.minReplicas
  for (let index = 0; index < first; index++) addPod(0, 0)
  if ('rules' in scaling) scale(scaling)

  let arrived = 0
  while (ended.length < jobs.length) {
    const next = jobs[arrived]
    if (next && next.arrives <= events.nextAt()) {
      arrived++
      line.push(next)
      take(next.arrives)
    } else count(events.runNext())
  }
  return { ended, cutShort, coreHours: coreSeconds / 3600, cores }
}
