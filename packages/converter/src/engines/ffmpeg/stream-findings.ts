import type { LeftOutKind, MediaStreamFate } from '@kiln/contract'
import type { Findings } from '../../report/findings.ts'
import type { MediaInfo, MediaStream } from './media-info.ts'
import type { Plan } from './plan.ts'
import type { Target } from './targets.ts'

// Reports for every stream of a video whether it was copied, encoded or left out: compares the plan with the source.

export function streamFindings({ streams }: MediaInfo, plan: Plan, target: Target): Findings {
  const kept = new Map<number, Pick<MediaStreamFate, 'fate' | 'as'>>()
  const keep = ({ index }: MediaStream, isCopied: boolean, as: string | undefined) =>
    kept.set(index, isCopied ? { fate: 'copied', as: null } : { fate: 'encoded', as: as ?? null })
  keep(plan.video.stream, plan.video.copy, target.videoEncoder)
  for (const { stream, copy } of plan.audio) keep(stream, copy, target.audioEncoder)
  for (const { stream, encoder } of plan.subtitles) keep(stream, encoder === 'copy', encoder)
  if (plan.cover) keep(plan.cover, true, undefined)
  const fates = streams.map((stream) => ({
    kind: kindOf(stream),
    codec: stream.codec || 'unknown',
    ...(kept.get(stream.index) ?? { fate: 'left-out' as const, as: null }),
  }))
  const leftOut: Partial<Record<LeftOutKind, number>> = {}
  for (const { kind, fate } of fates) {
    if (fate !== 'left-out') continue
    const what = leftOutAs[kind]
    leftOut[what] = (leftOut[what] ?? 0) + 1
  }
  return { streams: fates, leftOut }
}

const leftOutAs: Readonly<Record<MediaStreamFate['kind'], LeftOutKind>> = {
  video: 'video-tracks',
  audio: 'sound-tracks',
  subtitle: 'subtitles',
  cover: 'covers',
  data: 'data-streams',
}

function kindOf({ kind, isCover }: MediaStream): MediaStreamFate['kind'] {
  if (kind === 'video') return isCover ? 'cover' : 'video'
  return kind === 'audio' || kind === 'subtitle' ? kind : 'data'
}
