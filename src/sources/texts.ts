/**
 * The readers, for the sentences they declare: who shows the warnings that were stored with a run needs their words.
 */
import './registry.js'
import './config/config-file.js'
