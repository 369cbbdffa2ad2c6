#!/usr/bin/env node
console.error('not yet')
