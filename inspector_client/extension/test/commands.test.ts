import { describe, expect, it } from 'vitest';
import { commands } from '../../../companion/pageside/contract/tabs.json';
import { commandForms, type Parameter, paramsOf, problemOf, typedOf } from '../src/ui/commands';
import { texts } from '../src/ui/texts';

const formOf = (name: string) => {
  const form = commandForms.find((each) => each.name === `kapturemcp_${name}`);
  if (!form) throw new Error(name);
  return form;
};
const parameter = (schema: Parameter['schema'], isRequired = false): Parameter => ({
  name: 'it',
  isRequired,
  schema,
});

describe('the forms of the commands', () => {
  it('are one for each command of the contract, without the id of the tab', () => {
    expect(commandForms.map(({ name }) => name)).toEqual(commands);
    for (const { parameters } of commandForms)
      expect(parameters.map(({ name }) => name)).not.toContain('tabId');
  });

  it('know what a command needs and what it may have', () => {
    const wanted = formOf('screenshot').parameters.map(({ name, isRequired }) => [
      name,
      isRequired,
    ]);
    expect(wanted).toEqual([
      ['name', true],
      ['selector', false],
      ['width', false],
      ['height', false],
    ]);
  });

  it('leave out what is optional and empty, and make numbers of digits', () => {
    const form = formOf('navigate');
    expect(paramsOf(form, { url: 'http://localhost/', timeout: '' })).toEqual({
      url: 'http://localhost/',
    });
    expect(paramsOf(form, { url: 'http://localhost/', timeout: '500' }).timeout).toBe(500);
  });

  it('send an empty value for a field that is to be emptied', () => {
    const form = formOf('fill');
    const value = form.parameters.find(({ name }) => name === 'value') as Parameter;
    expect(problemOf(value, '')).toBe('');
    expect(paramsOf(form, { selector: '#name', value: '' })).toEqual({
      selector: '#name',
      value: '',
    });
  });

  it('show again what was sent before', () => {
    const form = formOf('navigate');
    const params = { url: 'http://localhost/', timeout: 500 };
    expect(paramsOf(form, typedOf(form, params))).toEqual(params);
  });
});

describe('what is typed for a parameter', () => {
  const number = { type: 'number', minimum: 16, maximum: 2000 };
  it.each([
    [parameter({ type: 'string', minLength: 1 }, true), '', texts.needed],
    [parameter({ type: 'string', minLength: 1 }, true), '  ', texts.needed],
    [parameter({ type: 'string', maxLength: 3 }), 'four', texts.tooLong(3)],
    [parameter({ type: 'string', minLength: 3 }), 'no', texts.tooShort(3)],
    [parameter({ type: 'string', enum: ['a', 'b'] }), 'c', texts.notOf('a, b')],
    [parameter(number), 'wide', texts.notNumber],
    [parameter(number), '1e999', texts.notNumber],
    [parameter(number), '15', texts.tooSmall(16)],
    [parameter(number), '2001', texts.tooLarge(2000)],
    [parameter({ type: 'integer' }), '1.5', texts.notWhole],
    [parameter(number), '', ''],
    [parameter(number), '800', ''],
  ])('%j: “%s” gets “%s”', (given, text, problem) => {
    expect(problemOf(given, text)).toBe(problem);
  });
});
