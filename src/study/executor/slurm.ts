import type { QueueCommands } from './commands.js'

/**
 * Slurm as four commands. Jobs are known by their name, which is klens's handle, and not by the number that sbatch tells:
 * a klens that was killed before it could write that down would not find its job again. Slurm must not start a job anew
 * by itself, for klens counts attempts.
 */
export function slurmCommands(options: readonly string[]): QueueCommands {
  return {
    name: 'slurm',
    submit: [
      'sbatch',
      '--parsable',
      '--no-requeue',
      '--job-name={handle}',
      '--comment={name}',
      '--output={log}',
      '--open-mode=append',
      '--chdir={folder}',
      '--cpus-per-task={cpus}',
      '--gpus={gpus}',
      ...options,
      '{script}',
    ],
    id: null,
    status: [
      ['squeue', '--noheader', '--states=all', '--name={handle}', '--format=%T'],
      [
        'sacct',
        '--noheader',
        '--allocations',
        '--parsable2',
        '--starttime=now-30days',
        '--name={handle}',
        '--format=State',
      ],
    ],
    states: {
      waiting: ['PENDING', 'CONFIGURING', 'REQUEUED', 'REQUEUE_HOLD', 'RESV_DEL_HOLD', 'SPECIAL_EXIT'],
      running: ['RUNNING', 'COMPLETING', 'STAGE_OUT', 'SUSPENDED', 'STOPPED', 'RESIZING', 'SIGNALING'],
      done: ['COMPLETED'],
      failed: ['FAILED', 'TIMEOUT', 'DEADLINE', 'OUT_OF_MEMORY'],
      stopped: ['CANCELLED', 'REVOKED'],
      evicted: ['PREEMPTED', 'NODE_FAIL', 'BOOT_FAIL', 'LAUNCH_FAILED', 'RECONFIG_FAIL'],
    },
    logs: null,
    stop: ['scancel', '--name={handle}'],
  }
}
