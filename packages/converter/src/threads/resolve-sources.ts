import { registerHooks } from 'node:module'

// Resolves `./x.ts` from one source file to another by joining the two. Node also looks for the file, for links on the
// way to it, and for the package.json that gives its format: more than a tenth of the CPU time in which a process or a
// thread of the service loads its modules. Each thread registers its own hooks.

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (!specifier.startsWith('.') || !specifier.endsWith('.ts') || !parentURL?.endsWith('.ts'))
      return next(specifier, context)
    return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
  },
})
