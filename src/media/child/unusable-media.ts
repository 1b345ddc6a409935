/** The file is damaged, or claims more than the service reads. Any other error is a fault of the service. */
export class UnusableMedia extends Error {}
