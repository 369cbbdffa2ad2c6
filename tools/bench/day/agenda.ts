interface Entry {
  at: number
  run: (now: number) => void
}

interface Agenda {
  add(time: number, run: Entry['run']): void
  nextAt(): number
  /** Runs what comes first, and says when that was. */
  runNext(): number
}

/** What is to happen, the earliest first: a heap. */
export function createAgenda(): Agenda {
  const heap: Entry[] = []
  const at = (index: number) => heap[index] as Entry
  const swap = (a: number, b: number) => {
    const kept = at(a)
    heap[a] = at(b)
    heap[b] = kept
  }
  return {
    add(time: number, run: Entry['run']) {
      heap.push({ at: time, run })
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1
        if (at(parent).at <= at(index).at) break
        swap(parent, index)
        index = parent
      }
    },
    nextAt: () => heap[0]?.at ?? Number.POSITIVE_INFINITY,
    runNext() {
      const first = heap[0]
      const last = heap.pop()
      if (!first || !last) throw new Error('Jobs wait and nothing is to happen any more.')
      if (heap.length > 0) {
        heap[0] = last
        for (let index = 0; ; ) {
          let least = index
          for (const child of [2 * index + 1, 2 * index + 2])
            if (child < heap.length && at(child).at < at(least).at) least = child
          if (least === index) break
          swap(index, least)
          index = least
        }
      }
      first.run(first.at)
      return first.at
    },
  }
}
