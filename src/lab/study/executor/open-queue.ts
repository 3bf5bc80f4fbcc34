import { commandQueue } from './commands.js'
import type { JobQueue, Resources } from './executor.js'
import { capacityOf, localQueue, type Machine } from './local.js'
import { DEFAULT_ADDRESS, dashboardAddress, rayQueue } from './ray.js'
import type { ExecutorSection } from './section.js'

/** The queue that a study asks for. `folder` is that of its records; where others run, they must see it too. */
export function openQueue(section: ExecutorSection, folder: string, machine: Machine): JobQueue {
  const { host, environment } = machine
  switch (section.kind) {
    case 'local':
      return localQueue(folder, machine)
    case 'commands':
      return commandQueue(folder, section.commands, { host, environment })
    case 'ray': {
      // As Ray's own tools look for it.
      const address =
        section.address ?? environment.RAY_API_SERVER_ADDRESS ?? environment.RAY_ADDRESS ?? DEFAULT_ADDRESS
      const { runtimeEnvironment } = section
      return rayQueue(folder, host, { address: dashboardAddress(address), headers: {}, runtimeEnvironment })
    }
  }
}

/** A queue orders what it is given; but a thousand submitted at once are a nuisance to others, and cannot be stopped in time. */
const MOST_IN_A_QUEUE = 64

/** How many trials to hand over at a time, where it is not said. */
export function queueCapacity({ kind }: ExecutorSection, resources: Resources, machine: Machine): number {
  return kind === 'local' ? capacityOf(resources, machine) : MOST_IN_A_QUEUE
}
