import { answerParent } from '../child.ts'
import { type TreeWatch, watchTree } from '../watch-tree.ts'

// Reads the CPU time of its parent and of all that the parent starts, from a separate process: looking costs
// time too, and the longer a busy machine takes, the more.

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
