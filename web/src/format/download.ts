/** Hands a text to the person as a file. */
export const download = (fileName: string, contentType: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: `${contentType};charset=utf-8` }));
  const link = Object.assign(document.createElement("a"), { href: address, download: fileName, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  // Browsers may begin to read it only after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
