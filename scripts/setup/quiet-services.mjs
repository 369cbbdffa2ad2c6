import { existsSync, readFileSync } from 'node:fs'
import { writeAsAdmin } from './backports.mjs'

// Some packages start a service when they are installed; PostgreSQL also creates a cluster. Kiln needs only the
// programs. While packages are installed, services do not start and no cluster is created; afterwards both settings are
// restored. A file that a killed set-up left behind is recognized by its marker and removed.

const POLICY = '/usr/sbin/policy-rc.d'
const MARK = 'Written by the set-up of Kiln while it installs packages'
const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf'
const CLUSTER_DEFAULTS = '/usr/share/postgresql-common/createcluster.conf'

export async function withoutServices(asAdmin, work) {
  if (isOurs(POLICY) ?? true) {
    await writeAsAdmin(asAdmin, POLICY, `#!/bin/sh\n# ${MARK}\nexit 101\n`, '0755')
  }
  if (isOurs(CLUSTER_SETTINGS) ?? true) {
    await writeAsAdmin(asAdmin, CLUSTER_SETTINGS, `# ${MARK}\ncreate_main_cluster = false\n`)
  }
  try {
    return await work()
  } finally {
    await allowServices(asAdmin)
  }
}

/** Whether this set-up, or one that was killed, prevents services from starting. */
export const servicesAreHeld = () => Boolean(isOurs(POLICY) || isOurs(CLUSTER_SETTINGS))

export async function allowServices(asAdmin) {
  if (isOurs(POLICY)) await asAdmin('rm', ['-f', POLICY])
  if (!isOurs(CLUSTER_SETTINGS)) return
  if (existsSync(CLUSTER_DEFAULTS)) await asAdmin('cp', [CLUSTER_DEFAULTS, CLUSTER_SETTINGS])
  else await asAdmin('rm', ['-f', CLUSTER_SETTINGS])
}

/** Undefined when there is no such file. */
const isOurs = (path) => (existsSync(path) ? readFileSync(path, 'utf8').includes(MARK) : undefined)
