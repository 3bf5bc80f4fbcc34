import { commandExecutor } from './commands.js'
import type { Executor } from './executor.js'
import { localExecutor, type Machine } from './local.js'
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
