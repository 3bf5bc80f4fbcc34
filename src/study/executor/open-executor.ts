import { commandExecutor } from './commands.js'
import type { Executor, Resources } from './executor.js'
import { localExecutor, type Machine, roomFor } from './local.js'
import { DEFAULT_ADDRESS, dashboardAddress, rayExecutor } from './ray.js'
import type { ExecutorSection } from './section.js'

/** The executor that a study asks for. `folder` is that of its records; where others run, they must see it too. */
export function openExecutor(section: ExecutorSection, folder: string, machine: Machine): Executor {
  const { host, environment } = machine
  switch (section.kind) {
    case 'local':
      return localExecutor(folder, machine)
    case 'commands':
      return commandExecutor(folder, section.commands, { host, environment })
    case 'ray': {
      // As Ray's own tools look for it.
      const address =
        section.address ?? environment.RAY_API_SERVER_ADDRESS ?? environment.RAY_ADDRESS ?? DEFAULT_ADDRESS
      const { runtimeEnvironment } = section
      return rayExecutor(folder, host, { address: dashboardAddress(address), headers: {}, runtimeEnvironment })
    }
  }
}

/** A queue orders what it is given; but whoever submits a thousand at once is a nuisance to others, and cannot stop in time. */
const MOST_IN_A_QUEUE = 64

/** How many trials to hand over at a time, where nobody says so. */
export function roomAt({ kind }: ExecutorSection, resources: Resources, machine: Machine): number {
  return kind === 'local' ? roomFor(resources, machine) : MOST_IN_A_QUEUE
}
