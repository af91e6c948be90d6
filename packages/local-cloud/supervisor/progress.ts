/** Runs one stage of the start under a name that people see; a stage may end with a word of its own ("unchanged"). */
export type Progress = <T>(name: string, work: () => Promise<T>, wordOf?: (result: T) => string) => Promise<T>;

export const silent: Progress = (_name, work) => work();

/** Prints a line for each stage, with the seconds it took. */
export const printed = (write: (text: string) => void): Progress =>
  async function stage(name, work, wordOf = () => "done") {
    const began = performance.now();
    write(`  ${name} … `);
    try {
      const result = await work();
      write(`${wordOf(result)} (${((performance.now() - began) / 1000).toFixed(1)} s)\n`);
      return result;
    } catch (error) {
      write("failed\n");
      throw error;
    }
  };
