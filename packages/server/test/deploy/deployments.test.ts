import { readdirSync } from 'node:fs'
import { DCLinter } from 'dclint'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { parseConfig } from '../../src/config/config.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { addSharedGauges } from '../../src/telemetry/shared-gauges.ts'
import { pathIn, read, unknownSettings } from './repository.ts'

describe('compose.yaml', () => {
  interface Service {
    environment?: Record<string, string>
    networks?: string[]
    read_only?: boolean
    cap_drop?: string[]
    security_opt?: string[]
    mem_limit?: string
    pids_limit?: number
    stop_grace_period?: string
  }
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    networks: Record<string, { internal?: boolean } | null>
  }

  test('has no fault that a linter finds', () => {
    const inOurOrder = [
      'service-keys-order',
      'services-alphabetical-order',
      'service-dependencies-alphabetical-order',
      'service-ports-alphabetical-order',
      'top-level-properties-order',
      'require-quotes-in-ports',
    ]
    const rules = Object.fromEntries(inOurOrder.map((name) => [name, 0 as const]))
    const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] })
    const found: { messages: { line: number; message: string }[] }[] = linter.lintFiles(
      [pathIn('compose.yaml')],
      false,
    )
    expect(found).toHaveLength(1)
    expect(
      found.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`)),
    ).toEqual([])
  })

  test('names settings that there are', () => {
    for (const name of ['api', 'worker', 'admin'])
      expect(unknownSettings(Object.keys(compose.services[name]?.environment ?? {}))).toEqual([])
  })

  test('gives the service neither a superuser of the database nor the owner of the store', () => {
    const secretsOf = (name: string) => JSON.stringify(compose.services[name]?.environment ?? {})
    for (const name of ['api', 'worker', 'admin']) expect(secretsOf(name)).not.toMatch(/ADMIN/)
    for (const name of ['postgres', 's3', 'bucket']) expect(secretsOf(name)).toMatch(/_ADMIN_/)
  })

  test('gives workers a database role of their own, and no other', () => {
    const { api, worker } = compose.services
    expect(worker?.environment?.DATABASE_URL).toMatch(/^postgresql:\/\/kiln_worker:/)
    expect(worker?.environment).not.toHaveProperty('KILN_WORKER_DATABASE_URL')
    expect(JSON.stringify(worker?.environment)).not.toMatch(/\$\{POSTGRES_PASSWORD/)
    expect(api?.environment?.KILN_WORKER_DATABASE_URL).toBe(worker?.environment?.DATABASE_URL)
  })

  test('gives workers no credentials of the bucket, but the secret of the API for links', () => {
    const { api, worker } = compose.services
    expect(JSON.stringify(worker?.environment)).not.toMatch(/S3/)
    expect(Object.keys(api?.environment ?? {})).toContain('KILN_S3_SECRET_ACCESS_KEY')
    expect(worker?.environment?.KILN_WORKER_TOKEN).toBe(api?.environment?.KILN_WORKER_TOKEN)
    expect(new URL(worker?.environment?.KILN_WORKER_API_URL ?? '').hostname).toBe('api')
    expect(api?.networks).toContain('inside')
  })

  test('its example secrets are refused', () => {
    for (const [, name, secret = ''] of read('deploy/docker/example.env').matchAll(
      /^(\w+(?:PASSWORD|SECRET))=(.+)$/gm,
    ))
      expect(() => parseConfig({ DATABASE_URL: `postgresql://kiln:${secret}@db/kiln` }), name).toThrow(
        'example',
      )
  })

  test('gives the worker no way out, no privilege, a read-only root and limits', () => {
    const { worker } = compose.services
    expect(worker?.networks).toEqual(['inside'])
    expect(compose.networks.inside?.internal).toBe(true)
    expect(worker).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.any(String),
      pids_limit: expect.any(Number),
      stop_grace_period: '30s',
    })
  })
})

interface Policy {
  spec: {
    podSelector: { matchLabels?: { part: string } }
    policyTypes: string[]
    egress?: { to: { ipBlock?: { cidr: string } }[] }[]
  }
}

describe('the Kubernetes manifests', () => {
  interface Resource {
    apiVersion: string
    kind: string
    metadata: { name: string; namespace?: string }
    data?: Record<string, string>
    stringData?: Record<string, string>
    spec?: { template?: { spec: { containers: Container[]; terminationGracePeriodSeconds: number } } }
  }
  interface Autoscaler {
    metadata: { name: string }
    spec: {
      scaleTargetRef: { name: string }
      metrics: {
        external: { metric: { name: string; selector: { matchExpressions: { values: string[] }[] } } }
      }[]
    }
  }
  interface Container {
    args: string[]
    env?: { name: string; value: string }[]
    livenessProbe?: object
    readinessProbe?: object
    securityContext: object
    resources: object
  }
  const files = (parse(read('deploy/kubernetes/kustomization.yaml')) as { resources: string[] }).resources
  const resources = files.flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}`)).map((document) => document.toJS() as Resource),
  )
  const adapter = parse(read('deploy/kubernetes/prometheus-adapter/values.yaml')) as {
    rules: { external: { seriesQuery: string; metricsQuery: string; name: { as: string } }[] }
  }
  const deployments = resources.filter(({ kind }) => kind === 'Deployment')

  test('all of them are in the list', () => {
    const there = readdirSync(pathIn('deploy/kubernetes')).filter((name) => /\.yaml$/.test(name))
    expect(there.sort()).toEqual([...files, 'kustomization.yaml'].sort())
  })

  test.each(resources.map((resource) => [`${resource.kind} ${resource.metadata.name}`, resource] as const))(
    '%s fits the schema of Kubernetes',
    async (_name, resource) => {
      const models = (await import(`kubernetes-models/${resource.apiVersion}`)) as Record<
        string,
        new (
          resource: Resource,
        ) => { validate(): void }
      >
      const Model = models[resource.kind]
      if (!Model) throw new Error(`Kubernetes has no ${resource.kind} in ${resource.apiVersion}.`)
      new Model(resource).validate()
    },
  )

  test('every container is probed, limited, and has no privilege', () => {
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['api', 'documents', 'video'])
    for (const { spec, metadata } of deployments) {
      for (const container of spec?.template?.spec.containers ?? []) {
        expect(container).toMatchObject({
          livenessProbe: { httpGet: { path: '/healthz' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: { limits: { memory: expect.any(String) } },
        })
        if (metadata.name === 'api')
          expect(container.readinessProbe).toMatchObject({ httpGet: { path: '/readyz' } })
      }
      // The drain time, and a little more.
      expect(spec?.template?.spec.terminationGracePeriodSeconds).toBeGreaterThan(30)
    }
  })

  test('workers have a database role of their own, and do not get that of the API', () => {
    const secretsOf = (name: string) =>
      resources.find((each) => each.metadata.name === name)?.stringData ?? {}
    const own = secretsOf('kiln-worker-secrets')
    expect(own.DATABASE_URL).toBe(secretsOf('kiln-secrets').KILN_WORKER_DATABASE_URL)
    for (const { metadata, spec } of deployments) {
      const sources = JSON.stringify(spec?.template?.spec.containers)
      expect(sources.includes('"kiln-secrets"')).toBe(metadata.name === 'api')
    }
  })

  test('workers have no credentials of the bucket, but the secret of the API for links', () => {
    const namesIn = (name: string) => {
      const { data, stringData } = resources.find((each) => each.metadata.name === name) ?? {}
      return Object.keys({ ...data, ...stringData })
    }
    for (const { metadata, spec } of deployments) {
      const sources = JSON.stringify(spec?.template?.spec.containers).match(/kiln-[a-z-]+/g) ?? []
      const given = sources.flatMap(namesIn)
      expect(given.some((name) => name.startsWith('KILN_S3_'))).toBe(metadata.name === 'api')
      expect(given.includes('KILN_WORKER_API_URL')).toBe(metadata.name !== 'api')
      expect(given).toContain('KILN_WORKER_TOKEN')
    }
  })

  test('workers grow with the lanes that they serve, and drain within the time that they are given', () => {
    const autoscalers = resources.filter(({ kind }) => kind === 'HorizontalPodAutoscaler') as unknown[]
    const workers = deployments.filter(({ metadata }) => metadata.name !== 'api')
    const drain = resources.find(({ kind }) => kind === 'ConfigMap')?.data?.KILN_DRAIN_SECONDS
    expect(autoscalers).toHaveLength(workers.length)
    for (const { metadata, spec } of workers) {
      const pod = spec?.template?.spec
      const worker = pod?.containers[0]
      const own = (autoscalers as Autoscaler[]).find(
        (each) => each.spec.scaleTargetRef.name === metadata.name,
      )
      const asked = own?.spec.metrics.map(({ external }) => external.metric)
      expect(asked?.map(({ name }) => name)).toEqual([adapter.rules.external[0]?.name.as])
      expect(asked?.[0]?.selector.matchExpressions[0]?.values.join()).toBe(worker?.args.at(-1))
      // A number of replicas here would undo the autoscaler's at every apply.
      expect(spec).not.toHaveProperty('replicas')
      const seconds = worker?.env?.find(({ name }) => name === 'KILN_DRAIN_SECONDS')?.value ?? drain
      expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + 10)
    }
  })

  test('the metric of the autoscalers is made of metrics that there are', () => {
    const metrics = createMetrics()
    addSharedGauges(metrics, () => Promise.reject(new Error('not read')))
    const known = new Set(metrics.registry.getMetricsAsArray().map(({ name }) => name))
    const used = adapter.rules.external.flatMap(({ seriesQuery, metricsQuery }) =>
      `${seriesQuery} ${metricsQuery}`.match(/\bkiln_\w+/g),
    )
    expect(used).toEqual(['kiln_queue_jobs', 'kiln_queue_jobs', 'kiln_processing_jobs'])
    expect(used.filter((name) => !known.has(name ?? ''))).toEqual([])
  })

  test('the example secrets are refused', () => {
    const { DATABASE_URL, ...secrets } = resources.find(({ kind }) => kind === 'Secret')?.stringData ?? {}
    expect(() => parseConfig({ DATABASE_URL })).toThrow('DATABASE_URL holds the secret of an example')
    for (const [name, value] of Object.entries(secrets))
      expect(() => parseConfig({ ...secrets, KILN_S3_BUCKET: 'kiln', [name]: value })).toThrow(name)
  })

  test('nothing is reached, or reaches anything, unless a policy allows it', () => {
    const policies = resources.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as Policy[]
    const selected = policies.map(({ spec }) => spec.podSelector.matchLabels?.part ?? 'all')
    expect(selected).toEqual(['all', 'api', 'worker'])
    expect(policies[0]?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
    // Workers reach names, the API and two addresses.
    const [, api, ...addresses] = policies[2]?.spec.egress ?? []
    expect(api?.to).toEqual([{ podSelector: { matchLabels: { app: 'kiln', part: 'api' } } }])
    expect(addresses).toHaveLength(2)
    for (const { to } of addresses) expect(to[0]?.ipBlock?.cidr).toMatch(/\/32$/)
  })

  test('name settings that there are', () => {
    const settingsOf = ({ data, stringData, spec }: Resource) => [
      ...Object.keys({ ...data, ...stringData }),
      ...(spec?.template?.spec.containers ?? []).flatMap(({ env }) => env?.map(({ name }) => name) ?? []),
    ]
    const names = resources.flatMap(settingsOf)
    expect(names.length).toBeGreaterThan(5)
    expect(unknownSettings(names)).toEqual([])
  })
})
