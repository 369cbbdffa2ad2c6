import { Fault, list } from './setting-kinds.ts'

/** The services whose APIs the service can offer besides its own. */
const known = ['gotenberg', 'tika', 'docling'] as const
export type CompatApi = (typeof known)[number]

export const compatApis = list<readonly CompatApi[]>((parts) =>
  parts.map((part) => {
    const found = known.find((each) => each === part)
    if (!found) throw new Fault(`must name ${known.join(', ')}, with commas between them`)
    return found
  }),
)
