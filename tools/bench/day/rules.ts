import type { Document } from 'yaml'
import type { Policy, ScalingRules } from './autoscaler.ts'

interface Autoscaler {
  metadata: { name: string }
  spec: {
    minReplicas: number
    maxReplicas: number
    metrics: readonly [{ external: { target: { averageValue: string } } }]
    behavior: Record<
      'scaleUp' | 'scaleDown',
      { stabilizationWindowSeconds: number; policies: readonly Policy[] }
    >
  }
}

/** The rules of one autoscaler among the manifests. */
export function readRules(manifests: readonly Pick<Document, 'toJS'>[], name: string): ScalingRules {
  const found = manifests
    .map((manifest) => manifest.toJS() as Autoscaler)
    .find(({ metadata }) => metadata.name === name)
  if (!found) throw new Error(`There is no autoscaler for ${name}.`)
  const { minReplicas, maxReplicas, metrics, behavior } = found.spec
  return { minReplicas, maxReplicas, target: quantity(metrics[0].external.target.averageValue), ...behavior }
}

/** A number of Kubernetes: `1500m` are one and a half. */
const quantity = (text: string): number =>
  text.endsWith('m') ? Number(text.slice(0, -1)) / 1000 : Number(text)
