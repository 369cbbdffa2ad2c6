import { answerParent } from '../child.ts'
import { type TreeWatch, watchTree } from '../processes.ts'

// Reads the CPU time of its parent and of all its descendants from a separate process: sampling takes CPU time too, and
// more on a busy machine.

answerParent<object>(async () => {
  let watch: TreeWatch | undefined
  return {
    handlers: {
      async begin() {
        watch = await watchTree(process.ppid, [process.pid])
      },
      end: () => watch?.stop(),
    },
    async close() {},
  }
})
