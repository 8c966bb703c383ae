/** `node-quickfix-ts dictionary`: reads, checks, merges and shows dictionaries given as QuickFIX XML or FIX Orchestra. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkDictionary, type Finding } from '../dictionary/check.js';
import { mergeDictionaries, nameOfDictionary, readDictionaryXml, writeDictionaryXml } from '../dictionary/formats.js';
import type { XmlElement } from '../dictionary/xml.js';
import { type FieldModel, type FieldsModel, modelOf } from '../generate/model.js';
import type { Command } from './main.js';

const read = (file: string): XmlElement => readDictionaryXml(readFileSync(file, 'utf8'), file);

export const dictionaryCommand: Command = ([command = '', ...args], write) => {
  const run = { check, merge, show }[command];
  if (run === undefined) throw new Error(`dictionary: ${command || 'nothing'} is none of check, merge, show`);
  return run(args, write);
};

/** Exit code 1 when any dictionary has an error. */
const check: Command = (args, write) => {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  if (positionals.length === 0) throw new Error('dictionary check: name at least one dictionary');
  let errors = 0;
  for (const file of positionals) {
    const root = read(file);
    const findings = findingsOf(root);
    for (const { level, text } of findings) write(`${file}: ${level}: ${text}\n`);
    const found = findings.filter(({ level }) => level === 'error').length;
    errors += found;
    write(`${file}: ${summary(root)}; errors: ${found}, warnings: ${findings.length - found}\n`);
  }
  return errors === 0 ? 0 : 1;
};

/** All that `checkDictionary` finds; or else what alone shows when it is read, such as components that contain each other through groups. */
function findingsOf(root: XmlElement): Finding[] {
  const findings = checkDictionary(root);
  if (findings.some(({ level }) => level === 'error')) return findings;
  try {
    modelOf([root]);
    return findings;
  } catch (error) {
    return [...findings, { level: 'error', text: (error as Error).message.replace('Data dictionary: ', '') }];
  }
}

/** Writes QuickFIX XML, to stdout without --out; one file is converted. */
const merge: Command = (args, write) => {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { out: { type: 'string' } } });
  if (positionals.length === 0) throw new Error('dictionary merge: name at least one dictionary');
  const root = mergeDictionaries(positionals.map(read));
  const [error] = findingsOf(root).filter(({ level }) => level === 'error');
  if (error) throw new Error(`dictionary merge: ${error.text}`);
  if (values.out === undefined) write(writeDictionaryXml(root));
  else {
    writeFileSync(values.out, writeDictionaryXml(root));
    write(`${values.out}: ${summary(root)}\n`);
  }
  return 0;
};

/** What the dictionary has; or a message or field of it, by MsgType, tag or name. */
const show: Command = (args, write) => {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [file, ...wanted] = positionals;
  if (file === undefined) throw new Error('dictionary show: name a dictionary');
  const root = read(file);
  const { messages, fields } = modelOf([root]);
  if (wanted.length === 0) {
    write(`${summary(root)}\n`);
    for (const { msgType, name } of messages) write(`${msgType.padEnd(4)} ${name}\n`);
  }
  for (const one of wanted) {
    const message = messages.find(({ name, msgType }) => one === msgType || one === name);
    const field = fields.find(({ name, tag }) => one === String(tag) || one === name);
    if (!message && !field) throw new Error(`dictionary show: ${file} has no message or field ${one}`);
    if (message) write(`${message.name}(${message.msgType})\n${linesOf(message, '  ').join('')}`);
    if (field) write(textOf(field));
  }
  return 0;
};

function summary(root: XmlElement): string {
  const count = (section: string) =>
    root.children.filter(({ name }) => name === section).flatMap(({ children }) => children).length;
  return `${nameOfDictionary(root)}, ${count('messages')} messages, ${count('components')} components, ${count('fields')} fields`;
}

function linesOf({ members }: FieldsModel, indent: string): string[] {
  return members.flatMap(({ field, isRequired, group }) => {
    const name = `${indent}${field.name}(${field.tag})`;
    const line = `${name.padEnd(40)} ${field.type.toUpperCase()}${isRequired ? ', required' : ''}\n`;
    return group ? [line, ...linesOf(group, `${indent}  `)] : [line];
  });
}

function textOf({ name, tag, type, values }: FieldModel): string {
  const lines = values.map((value) => `  ${value.value.padEnd(8)} ${value.name}\n`);
  return `${name}(${tag}) ${type.toUpperCase()}\n${lines.join('')}`;
}
